"""The words for players who see no picture: each move as a sentence, the table as a text.

Readers are language models, people with a screen reader, and terminals. What a game says stands in
its `Speaker`; the terms come from `cartulary.locales`. Pure: everything is made of what the caller
may see (the view, the decision, the features), so a text can hold nothing hidden.
"""

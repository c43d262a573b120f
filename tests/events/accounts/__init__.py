"""What a person does with a whole account."""

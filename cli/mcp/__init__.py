"""`cartulary mcp`: a seat for a language model, by the Model Context Protocol over stdio."""

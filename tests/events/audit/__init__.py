"""Whatever does not follow from the events before is found."""

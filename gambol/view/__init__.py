"""What a person looks at: pictures, sheets and films of characters."""

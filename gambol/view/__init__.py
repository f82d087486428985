"""What a person looks at: pictures, sheets and films of characters, and pages for the browser."""

"""The HTTP server behind the studio and other programs: its project folder, its worker processes, its MCP server."""

"""The API: games, cameras and recordings over HTTP and one WebSocket, on this machine."""

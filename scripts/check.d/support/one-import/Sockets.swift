import NetSocket

let client = WebSocketClient()
do {
    var request = WebSocketRequest(url: "wss://api.example.com/feed")
    request.headers[.authorization] = "Bearer token"
    let socket = try await client.connect(request)
    try await socket.send("hello")
    for try await message in socket.messages { print(message) }
} catch {
    print(error.code, error.closure?.code ?? .normalClosure)
}

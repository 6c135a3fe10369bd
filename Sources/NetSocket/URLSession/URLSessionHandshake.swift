#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetSocketCore

/// Conversions between the opening handshake and the types of URLSession.
enum URLSessionHandshake {
    /// A week, in seconds. Limits run on the context's clock, and URLSession has no value for "no timeout".
    static let longestTimeout = 604_800.0

    /// Returns the request, without the headers that URLSession sets itself. Throws `.invalidRequest` for a URL that
    /// Foundation can't read.
    static func request(_ prepared: PreparedRequest, subprotocols: [String]) throws(NetError) -> URLRequest {
        let scheme = prepared.head.scheme?.lowercased() == "https" ? "wss" : "ws"
        let text = "\(scheme)://\(prepared.head.authority ?? "")\(prepared.head.path ?? "/")"
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw NetError(.invalidRequest, phase: .preparing, message: "Foundation cannot read the request's URL")
        }
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: longestTimeout)
        request.httpShouldHandleCookies = false
        let headers = prepared.head.headerFields
        for field in headers where !HandshakeFields.owned.contains(field.name) {
            request.setValue(headers[field.name], forHTTPHeaderField: field.name.rawName)
        }
        if !subprotocols.isEmpty {
            request.setValue(
                subprotocols.joined(separator: ", "), forHTTPHeaderField: HTTPField.Name.secWebSocketProtocol.rawName)
        }
        return request
    }

    /// Returns the head of a response; nil if it isn't HTTP.
    static func head(_ response: URLResponse) -> ResponseHead? {
        guard let response = response as? HTTPURLResponse else { return nil }
        let fields = response.allHeaderFields.compactMap { key, value in
            (key as? String).flatMap { name in (value as? String).map { (name, $0) } }
        }
        return ResponseHead(status: response.statusCode, joinedFields: fields)
    }
}
#endif

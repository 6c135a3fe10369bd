#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetSocketServer

/// The page: `chat.html`, which is compiled into the program, or a file that is read for each request while one works on it.
struct ChatPage: Sendable {
    /// The file that takes the place of the page in the program; nil for none.
    var file: String?

    /// Answers a request that isn't a handshake.
    func response(
        to method: HTTPRequest.Method, _ path: String, nonce: String = Self.nonce()
    ) -> SocketServerResponse {
        guard path == "/" else { return SocketServerResponse(status: .notFound, body: "Not found.\n") }
        guard method == .get || method == .head else {
            return SocketServerResponse(
                status: .methodNotAllowed, headers: [.allow: "GET, HEAD"], body: "Only GET is supported.\n")
        }
        guard let page = try? text() else {
            return SocketServerResponse(status: .internalServerError, body: "The page can't be read.\n")
        }
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = Self.policy(nonce)
        headers[.xContentTypeOptions] = "nosniff"
        return SocketServerResponse(headers: headers, body: Bytes(page.replacing("{nonce}", with: nonce).utf8))
    }

    private func text() throws -> String {
        if let file { return try String(contentsOfFile: file, encoding: .utf8) }
        return String(decoding: PackageResources.chat_html, as: UTF8.self)
    }

    /// The page's own script and style, its own server, and nothing else.
    private static func policy(_ nonce: String) -> String {
        """
        default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """
    }

    /// 128 random bits: nobody guesses which script is ours.
    static func nonce() -> String {
        let (first, last) = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
        return String(first, radix: 36) + String(last, radix: 36)
    }
}
#endif

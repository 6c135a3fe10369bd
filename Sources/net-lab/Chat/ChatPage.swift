#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetSocketServer

/// The chat page: `chat.html` embedded in the program, or during development a file that is read for each request.
struct ChatPage: Sendable {
    /// The file to serve instead of the embedded page. Default nil: the embedded page.
    var file: String?

    /// Returns the response to a request that isn't a handshake.
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

    /// Returns a policy that allows only the page's own script and style, and connections to its own server.
    private static func policy(_ nonce: String) -> String {
        """
        default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """
    }

    /// Returns 128 random bits as text, so that nobody can guess the nonce of the page's script.
    static func nonce() -> String {
        let (first, last) = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
        return String(first, radix: 36) + String(last, radix: 36)
    }
}
#endif

/// A link of a response: a request that can be made from it.
struct LinkModel: Sendable {
    /// The origin of a value that a link passes on.
    enum Value: Hashable, Sendable {
        /// JSON text.
        case constant(String)
        /// Literal text and runtime expressions; a single expression keeps the type of its value.
        case expression(String)
    }

    /// The link's name.
    var name: String
    /// The index of the operation that it leads to.
    var target: Int
    /// The values by the index of the target's parameter.
    var parameters: [Int: Value]
    /// The request body; nil if the link has none.
    var body: Value?
    var description: String?
}

/// A runtime expression of OpenAPI, such as `$response.body#/id`.
struct RuntimeExpression: Hashable {
    enum Source: Hashable {
        case url, method, statusCode
        case requestParameter(ParameterModel.Location, String)
        case requestBody, responseBody
        case responseHeader(String)
    }

    let source: Source

    /// Parses an expression; nil for anything else.
    init?(_ text: String) {
        let head = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        switch head {
        case "$url": source = .url
        case "$method": source = .method
        case "$statusCode": source = .statusCode
        case "$request.body": source = .requestBody
        case "$response.body": source = .responseBody
        default:
            let parts = text.split(separator: ".", maxSplits: 2).map(String.init)
            guard parts.count == 3 else { return nil }
            if parts[0] == "$response", parts[1] == "header" {
                source = .responseHeader(parts[2])
            } else if parts[0] == "$request", let location = ParameterModel.Location(rawValue: parts[1]) {
                source = .requestParameter(location, parts[2])
            } else {
                return nil
            }
        }
    }

    /// Returns the expressions of a text: the text itself, or those between braces in it.
    static func all(in text: String) -> [String] {
        if text.hasPrefix("$") { return [text] }
        return text.split(separator: "{").dropFirst().compactMap { piece in
            piece.firstIndex(of: "}").map { String(piece[..<$0]) }
        }
    }
}

internal import HTTPTypes

extension ResponseHead {
    /// Creates a head from a status and headers as provided by Foundation; nil if the status doesn't have three digits.
    ///
    /// Foundation has already joined repeated headers with commas and doesn't keep their order. Here they are sorted by
    /// name, and `Set-Cookie`, which can't be a list (RFC 9110 section 5.3), is split again. A header with an invalid
    /// name is omitted.
    package init?(status: Int, joinedFields: some Sequence<(String, String)>) {
        guard (100...999).contains(status) else { return nil }
        var named = joinedFields.compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
        named.sort { ($0.0.canonicalName, $0.1) < ($1.0.canonicalName, $1.1) }
        var headers = HTTPFields()
        for (name, value) in named {
            for value in name == .setCookie ? JoinedCookies.split(value) : [value] {
                headers.append(HTTPField(name: name, value: value))
            }
        }
        self.init(status: HTTPResponse.Status(code: status), headers: headers)
    }
}

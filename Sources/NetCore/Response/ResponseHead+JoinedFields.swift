internal import HTTPTypes

extension ResponseHead {
    /// Creates a head from a status and headers as provided by Foundation; nil if the status doesn't have three digits.
    ///
    /// Foundation keeps neither the order nor repetitions of headers: they are sorted by name, and repeated values
    /// are joined by commas. `Set-Cookie`, which can't be a list (RFC 9110 section 5.3), is split again.
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

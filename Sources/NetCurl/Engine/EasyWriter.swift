#if os(Linux)
internal import CCurl
internal import NetCore

/// Sets options of a libcurl handle, and keeps the first rejection with the name of the setting.
struct EasyWriter {
    let raw: UnsafeMutableRawPointer
    private(set) var problem: NetError?

    init(_ raw: UnsafeMutableRawPointer) {
        self.raw = raw
    }

    mutating func set(_ option: CURLoption, _ value: Int, _ setting: StaticString) {
        note(net_easy_set_long(raw, option, value), setting)
    }

    /// Sets a string, which libcurl copies.
    mutating func set(_ option: CURLoption, _ value: String?, _ setting: StaticString) {
        note(net_easy_set_string(raw, option, value), setting)
    }

    /// Sets bytes, which libcurl copies.
    mutating func set(_ option: CURLoption, bytes value: String, _ setting: StaticString) {
        var value = value
        note(
            value.withUTF8 {
                $0.baseAddress.map { [raw, count = $0.count] in net_easy_set_blob(raw, option, $0, count) }
            }
                ?? CURLE_OK, setting)
    }

    /// Sets the only allowed address family, as `CURL_IPRESOLVE_…`.
    mutating func set(family: Int, _ setting: StaticString) {
        note(net_easy_set_family(raw, family), setting)
    }

    /// Sets a list, which libcurl doesn't copy: the owner of the handle must keep it as long as the handle lives.
    mutating func set(_ option: CURLoption, list value: StringList?, _ setting: StaticString) {
        note(net_easy_set_pointer(raw, option, value?.first), setting)
    }

    private mutating func note(_ code: CURLcode, _ setting: StaticString) {
        guard code != CURLE_OK, problem == nil else { return }
        let isAbsent = code == CURLE_UNKNOWN_OPTION || code == CURLE_NOT_BUILT_IN
        let reason = isAbsent ? "isn't supported by this libcurl" : "was rejected by libcurl"
        problem = NetError(
            isAbsent ? .unsupported : .invalidRequest, phase: .preparing,
            message: "\(setting) \(reason): \(String(cString: curl_easy_strerror(code)))")
    }
}

/// A list of strings in libcurl's format.
///
/// `@unchecked Sendable`: the list never changes after its initialization.
final class StringList: @unchecked Sendable {
    let first: UnsafeMutablePointer<curl_slist>?

    /// Creates a list; nil if `texts` is empty.
    init?(_ texts: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts {
            // A null result means out of memory; the list so far stays valid.
            if let longer = curl_slist_append(list, text) { list = longer }
        }
        guard list != nil else { return nil }
        first = list
    }

    deinit { curl_slist_free_all(first) }
}
#endif

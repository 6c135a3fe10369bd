internal import HTTPTypes

/// The state of one iteration through the pages. Determines each request, but sends nothing.
///
/// | state | next | received |
/// |---|---|---|
/// | start | the request itself | – |
/// | page | the request as changed by the step, or `.paging` | the step |
/// | end | nil | – |
struct PageCourse {
    private var request: PreparedRequest?
    private var seen: Set<String> = []
    private var target: Target = .start

    private enum Target {
        case start, end
        case url(String)
        case item(name: String, value: String)
    }

    /// Returns the request for the next page; nil after the last.
    mutating func next(
        _ first: () throws(NetError) -> PreparedRequest, limit: Int
    ) throws(NetError) -> PreparedRequest? {
        var next: PreparedRequest
        if let request { next = request } else { next = try first() }
        switch target {
        case .end: return nil
        case .start: break
        case .url(let url): try Self.lead(&next, to: url)
        case .item(let name, let value):
            next.head.path = PagingQuery.replacing(name, with: value, in: next.head.path ?? "/")
        }
        guard seen.count < limit else {
            throw Self.error("there are more than \(limit) pages; raise the limit, or stop reading")
        }
        guard seen.insert(next.url).inserted else {
            throw Self.error("a page links to one that was already read, so the pages would never end")
        }
        guard request == nil || next.isReplayable else {
            throw Self.error(
                "the body can be read only once, and the request for each page sends it; make it replayable")
        }
        request = next
        return next
    }

    /// Records the step that follows a page; `url` is the URL of the page.
    mutating func received<Value>(_ step: Paging<Value>.Step, from url: String) {
        target =
            switch step {
            case .end: .end
            case .url(let reference): .url(URLReference(reference).resolved(against: URLReference(url)).description)
            case .item(let name, let value): .item(name: name, value: value)
            }
    }

    private static func lead(_ request: inout PreparedRequest, to url: String) throws(NetError) {
        var reference = URLReference(url)
        reference.fragment = nil
        let target: BaseURL
        do throws(NetError) {
            target = try BaseURL(reference.description)
        } catch {
            throw Self.error("a page links to a URL that cannot be requested: \(error.message)")
        }
        guard target.origin == request.origin else {
            throw Self.error(
                "a page links to \(target.origin), but the request's headers may contain credentials for "
                    + "\(request.origin); send a separate request there")
        }
        request.head.path = target.target
    }

    private static func error(_ message: String) -> NetError {
        NetError(.paging, phase: .preparing, message: message)
    }
}

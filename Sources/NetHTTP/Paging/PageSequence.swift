public import NetCore

/// The pages of a list, one request each, sent when the page is asked for.
///
/// Each has its head and figures; an error ends the sequence. Iterating again begins with the first page. Cancelling the
/// task ends the request that is under way.
///
/// A page that leads to another origin, from https to http, or to a request that was sent before ends the sequence with
/// `.paging`: the fields of the request may be credentials, and nobody pages for ever. So does one page more than the limit.
public struct PageSequence<R: APIRequest>: AsyncSequence, Sendable {
    public typealias Element = Response<R.Response>
    public typealias Failure = APIError<R.Failure>

    let client: HTTPClient
    let request: R
    let paging: Paging<R.Response>
    /// The most pages; one more is an error.
    public let limit: Int

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, request: request, paging: paging, limit: limit)
    }

    /// Asks for one page after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: HTTPClient
        let request: R
        let paging: Paging<R.Response>
        let limit: Int
        private var course = PageCourse()
        private var number = 0
        private var hasEnded = false

        init(client: HTTPClient, request: R, paging: Paging<R.Response>, limit: Int) {
            self.client = client
            self.request = request
            self.paging = paging
            self.limit = limit
        }

        public mutating func next() async throws(APIError<R.Failure>) -> Response<R.Response>? {
            if hasEnded { return nil }
            hasEnded = true
            let (client, request) = (client, request)
            let prepared: PreparedRequest
            do throws(NetError) {
                guard let found = try course.next({ () throws(NetError) in try client.prepare(request) }, limit: limit)
                else { return nil }
                prepared = found
            } catch {
                throw .failed(error)
            }
            let call = Call<R>(
                prepared, serializer: request.serializer, failureSerializer: request.failureSerializer,
                core: client.core, delivery: nil)
            let page = try await call.response()
            course.received(paging.step(after: page, number: number), from: page.url ?? prepared.url)
            number += 1
            hasEnded = false
            return page
        }
    }
}

extension HTTPClient {
    /// The pages of a list, one after another.
    ///
    ///     let request = Request<[String]>("repositories")
    ///     for try await page in client.pages(request, by: .link()) {
    ///         print(page.value.count, page.head.status)
    ///     }
    ///
    /// - Parameters:
    ///   - request: Asks for the first page.
    ///   - paging: How a page leads to the next.
    ///   - limit: The most pages; one more is an error. Default 1000.
    public func pages<R: APIRequest>(
        _ request: R, by paging: Paging<R.Response>, limit: Int = 1000
    ) -> PageSequence<R> {
        PageSequence(client: self, request: request, paging: paging, limit: limit)
    }
}

extension NetError.Code {
    /// A page led to where pages are not asked for: another origin, a page before it, one more than the limit.
    public static let paging = NetError.Code(rawValue: "paging")
}

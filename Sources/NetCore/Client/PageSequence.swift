/// The pages of a list, requested one at a time as they are read.
///
/// Each element has its head and metrics; an error ends the sequence. Iterating again starts with the first page.
/// Cancelling the task ends the current request.
///
/// The sequence throws `.paging` if a page leads to another origin or from https to http, since the request may have
/// credentials; if it leads to a page that was read before; and after ``limit`` pages.
public struct PageSequence<R: APIRequest>: AsyncSequence, Sendable {
    public typealias Element = Response<R.Response>
    public typealias Failure = APIError<R.Failure>

    let client: any APIClient
    let request: R
    let paging: Paging<R.Response>
    /// The maximum number of pages; one more is an error.
    public let limit: Int

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, request: request, paging: paging, limit: limit)
    }

    /// Requests one page after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: any APIClient
        let request: R
        let paging: Paging<R.Response>
        let limit: Int
        private var course = PageCourse()
        private var number = 0
        private var hasEnded = false
        /// The logins of the first page, which all others must have too.
        private var login: CallLogin?

        init(client: any APIClient, request: R, paging: Paging<R.Response>, limit: Int) {
            self.client = client
            self.request = request
            self.paging = paging
            self.limit = limit
        }

        public mutating func next() async throws(APIError<R.Failure>) -> Response<R.Response>? {
            if hasEnded { return nil }
            hasEnded = true
            let (client, request) = (client, request)
            var prepared: PreparedRequest
            do throws(NetError) {
                guard let found = try course.next({ () throws(NetError) in try client.prepare(request) }, limit: limit)
                else { return nil }
                prepared = found
            } catch {
                throw .failed(error)
            }
            if number == 0 { login = await (client as? any LoginKnowing)?.login(of: prepared) }
            if let login { prepared.options.login = login }
            let page = try await client.response(request, as: prepared)
            course.received(paging.step(after: page, number: number), from: page.url ?? prepared.url)
            number += 1
            hasEnded = false
            return page
        }
    }
}

extension APIClient {
    /// Returns the pages of a list.
    ///
    ///     let request = Request<[String]>("repositories")
    ///     for try await page in client.pages(request, by: .link()) {
    ///         print(page.value.count, page.status)
    ///     }
    ///
    /// - Parameters:
    ///   - request: The request for the first page.
    ///   - paging: Finds the next page.
    ///   - limit: The maximum number of pages; one more is an error. Default 1000.
    public func pages<R: APIRequest>(
        _ request: R, by paging: Paging<R.Response>, limit: Int = 1000
    ) -> PageSequence<R> {
        PageSequence(client: self, request: request, paging: paging, limit: limit)
    }
}

extension NetError.Code {
    /// A page led to another origin or to an earlier page, or there were more pages than the limit.
    public static let paging = NetError.Code(rawValue: "paging")
}

extension PageSequence: CustomReflectable {
    /// Only the limit, since the request may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["limit": limit], displayStyle: .struct) }
}

extension PageSequence.AsyncIterator: CustomReflectable {
    /// No children, since the request may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

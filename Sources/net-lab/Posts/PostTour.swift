#if Tools && Server
internal import NetCore
internal import NetHTTP

/// Typed requests to a board of posts: a list, a single post, a new post, and two requests that are rejected.
struct PostTour {
    let client: HTTPClient
    var steps = Steps()

    /// Returns true if every response was as expected.
    func run() async throws -> Bool {
        steps.heading("Typed requests")
        let posts = try await client.send(ListPosts())
        for post in posts { steps.saw("post \(post.id)", post.title) }
        steps.expect("list", "3 posts", got: "\(posts.count) posts")

        let post = try await client.send(GetPost(id: 2))
        steps.expect(
            "one", "2: Off the north mole, thirty fathoms of chain.", got: "\(post.id): \(post.text)")

        let new = NewPost(title: "Found: an anchor", text: "Off the north mole.")
        let created = try await client.response(CreatePost(post: new))
        steps.expect(
            "create", "201, post 4: Found: an anchor",
            got: "\(created.status.code), post \(created.value.id): \(created.value.title)")
        steps.expect("list again", "4 posts", got: "\(try await client.send(ListPosts()).count) posts")

        steps.heading("Typed failures")
        steps.expect("no such post", "404: this post doesn't exist", got: await failure(of: GetPost(id: 99)))
        steps.expect(
            "no title", "422: the title is empty",
            got: await failure(of: CreatePost(post: NewPost(title: "", text: "?"))))
        return steps.isRight
    }

    private func failure<R: APIRequest>(of request: R) async -> String where R.Failure == PostProblem {
        do {
            _ = try await client.send(request)
            return "it was accepted"
        } catch {
            switch error {
            case .rejected(let problem, let head): return "\(head.status.code): \(problem.reason)"
            case .failed(let error): return "\(error.code) while \(error.phase)"
            }
        }
    }
}
#endif

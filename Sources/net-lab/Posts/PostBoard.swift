#if Tools && Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting
internal import Synchronization

/// A board of posts behind a server, with three posts at the start.
final class PostBoard: Sendable {
    private let posts = Mutex([
        Post(id: 1, title: "Gale warning", text: "Nine from the north-west, as of tonight."),
        Post(id: 2, title: "Lost: an anchor", text: "Off the north mole, thirty fathoms of chain."),
        Post(id: 3, title: "Crew wanted", text: "For the herring, from May."),
    ])

    /// The stubs: `/posts`, which lists the posts and accepts new ones, and `/posts/ID` for each post.
    var stubs: [Stub] {
        [
            Stub(.get, "/posts") { [self] _ in .json(posts.withLock { $0 }) },
            Stub(.get, "/posts/{id}") { [self] request in
                let id = request.parameters["id"].flatMap { Int($0) }
                guard let post = posts.withLock({ $0.first { $0.id == id } }) else {
                    return Self.problem("this post doesn't exist", status: .notFound)
                }
                return .json(post)
            },
            Stub(.post, "/posts") { [self] request in
                let new = try request.decode(NewPost.self)
                guard !new.title.isEmpty else {
                    return Self.problem("the title is empty", status: .unprocessableContent)
                }
                let post = posts.withLock { posts in
                    let post = Post(id: posts.count + 1, title: new.title, text: new.text)
                    posts.append(post)
                    return post
                }
                return .json(post, status: .created)
            },
        ]
    }

    private static func problem(_ reason: String, status: HTTPResponse.Status) -> StubResponse {
        .json(PostProblem(reason: reason), status: status)
    }
}
#endif

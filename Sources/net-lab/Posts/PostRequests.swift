#if Tools && Server
internal import HTTPTypes
internal import NetCore

/// A post of the board.
struct Post: Codable, Sendable, Hashable {
    let id: Int
    let title: String
    let text: String
}

/// The content of a new post.
struct NewPost: Codable, Sendable {
    let title: String
    let text: String
}

/// The reason why the board rejects a request.
struct PostProblem: Codable, Sendable {
    let reason: String
}

struct ListPosts: APIRequest {
    typealias Response = [Post]
    var path: Path { "posts" }
}

struct GetPost: APIRequest {
    typealias Response = Post
    typealias Failure = PostProblem
    let id: Int
    var path: Path { "posts/\(id)" }
}

struct CreatePost: APIRequest {
    typealias Response = Post
    typealias Failure = PostProblem
    let post: NewPost
    var path: Path { "posts" }
    var method: HTTPRequest.Method { .post }
    var body: RequestBody { .json(post) }
}
#endif

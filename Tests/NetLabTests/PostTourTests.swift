#if Tools && Server
import HTTPTypes
import NetTesting
import Testing

@testable import net_lab

@Suite struct PostTourTests {
    @Test func `posts ends well`() async throws {
        try await #expect(Tour.wrong(in: PostsCommand.self).isEmpty)
    }

    @Test func `Posts that are accepted without a title are noticed`() async throws {
        let stub = Stub(.post, "/posts", .json(Post(id: 4, title: "", text: ""), status: .created)).priority(1)
        let wrong = try await Tour.wrong { steps in
            try await Workbench.with(.mock, PostBoard().stubs + [stub]) { bench in
                try await PostTour(client: bench.client(), steps: steps).run()
            }
        }
        #expect(wrong == ["create", "list again", "no title"])
    }
}
#endif

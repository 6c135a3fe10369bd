import NetHTTP
import Testing

@testable import ClientTestSupport

@Suite struct RequestStateTests {
    private struct Down: Error {}

    @Test func theValueSurvivesLoadingAnewAndItsFailure() {
        var state = RequestState<Int>()
        #expect(state == .idle)
        #expect(state.value == nil)
        state.start()
        #expect(state == .loading(previous: nil))
        #expect(state.isLoading)
        state.succeed(7)
        #expect(state == .loaded(7))
        state.start()
        #expect(state == .loading(previous: 7))
        #expect(state.value == 7)
        state.fail(Down())
        #expect(state == .failed(Down(), previous: 7))
        #expect(state.value == 7)
        #expect(state.error is Down)
        state.start()
        #expect(state == .loading(previous: 7))
        #expect(state.error == nil)
        state.reset()
        #expect(state == .idle)
    }

    @Test func givingUpBringsBackWhatWasThere() {
        var state = RequestState<Int>.loading(previous: 7)
        state.cancel()
        #expect(state == .loaded(7))
        state.cancel()
        #expect(state == .loaded(7))
        state = .loading(previous: 7)
        state.cancel(keepsPrevious: false)
        #expect(state == .idle)
        state.start()
        state.cancel()
        #expect(state == .idle)
    }

    @Test func actionsAreTakenIn() {
        var state = RequestState<Int>()
        state.apply(.started)
        #expect(state.isLoading)
        state.apply(.response(.success(1)))
        #expect(state == .loaded(1))
        state.apply(.started)
        state.apply(.response(.failure(Down())))
        #expect(state == .failed(Down(), previous: 1))
        state.apply(.started)
        state.apply(.cancelled)
        #expect(state == .loaded(1))
    }
}

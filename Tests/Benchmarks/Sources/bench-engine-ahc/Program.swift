internal import LoadDriver

@main
struct Program {
    static func main() {
        LoadProgram.run(AsyncHTTPClientLoad.self)
    }
}

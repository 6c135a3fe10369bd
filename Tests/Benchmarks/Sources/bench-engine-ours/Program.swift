internal import LoadDriver

@main
struct Program {
    static func main() async {
        await LoadProgram.run(EngineClient.self)
    }
}

extension OperationPlanner {
    /// The headers that other parts of the description define (OpenAPI, Parameter Object).
    private static let ignoredHeaders: Set<String> = ["accept", "content-type", "authorization"]

    /// Returns the parameters of an operation and of its path; the operation's replace those with the same name and
    /// location.
    func parameters(of node: Node, item: Node, operation: Int) -> [ParameterModel] {
        var parameters: [ParameterModel] = []
        for entry in (read.list(item, "parameters") ?? []) + (read.list(node, "parameters") ?? []) {
            guard let parameter = resolved(entry),
                let model = parameterModel(parameter, home: home(of: entry, operation))
            else {
                continue
            }
            if let place = parameters.firstIndex(where: { $0.name == model.name && $0.location == model.location }) {
                parameters[place] = model
            } else {
                parameters.append(model)
            }
        }
        return parameters
    }

    private func parameterModel(_ node: Node, home: SchemaPlanner.Hint) -> ParameterModel? {
        guard let name = read.text(node, "name"), let place = read.text(node, "in") else {
            log.warn("a parameter needs 'name' and 'in'; it is omitted", at: node)
            return nil
        }
        let isWholeQuery = place == "querystring"
        guard let location = isWholeQuery ? .query : ParameterModel.Location(rawValue: place) else {
            log.warn("there are no parameters in '\(place)'; '\(name)' is omitted", at: node["in"])
            return nil
        }
        if location == .header {
            if Self.ignoredHeaders.contains(name.lowercased()) {
                log.note("the header parameter '\(name)' is ignored, as the specification says", at: node)
                return nil
            }
            guard HTTPToken.isValid(name) else {
                log.warn("'\(name)' isn't a valid header name; the parameter is omitted", at: node["name"])
                return nil
            }
        }
        let hint = home.name.isEmpty ? SchemaPlanner.Hint(owner: home.owner, name: name) : home
        let content = read.members(node, "content").first
        let schema = node["schema"] ?? content?.value["schema"]
        let isJSON = node["schema"] == nil && content.map { ContentType($0.key).isJSON } ?? false
        let style = style(node, location, name)
        let use = schemas.use(schema, hint)
        return ParameterModel(
            name: isWholeQuery ? "" : name, location: location, type: schema == nil ? .string : use.type,
            isRequired: location == .path || (read.flag(node, "required") ?? false), style: style,
            explode: read.flag(node, "explode") ?? (style == "form" || style == "deepObject"),
            allowsReserved: read.flag(node, "allowReserved") ?? false,
            allowsEmpty: location == .query && !isJSON && (read.flag(node, "allowEmptyValue") ?? false), isJSON: isJSON,
            defaultValue: schema?["default"]
                ?? schema.flatMap { $0.reference == nil ? nil : try? resolver.resolve($0) }?["default"],
            minimum: schema?["minimum"]?.int, documentation: read.documentation(node))
    }

    /// Returns the parameter's style if its location allows it, otherwise the default of that location.
    private func style(_ node: Node, _ location: ParameterModel.Location, _ name: String) -> String {
        let known: [String] =
            switch location {
            case .path: ["simple", "label", "matrix"]
            case .query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"]
            case .header: ["simple"]
            case .cookie: ["form"]
            }
        guard let style = read.text(node, "style") else { return known[0] }
        if known.contains(style) { return style }
        if location != .cookie || style != "cookie" {
            log.warn(
                "a \(location.rawValue) parameter has no style '\(style)'; '\(name)' is sent as '\(known[0])'",
                at: node["style"])
        }
        return known[0]
    }

    /// Returns the path as literals and parameters; a name without a parameter becomes a required string parameter.
    func pathParts(_ template: PathPattern, _ parameters: inout [ParameterModel], _ node: Node) -> [PathPart] {
        var parts: [PathPart] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let text): parts.append(.literal(text))
            case .name(let name):
                if let place = parameters.firstIndex(where: { $0.location == .path && $0.name == name }) {
                    parts.append(.parameter(place))
                    continue
                }
                log.warn(
                    "the path has '{\(name)}', but no parameter has that name; a required string is used", at: node)
                parts.append(.parameter(parameters.count))
                parameters.append(
                    ParameterModel(
                        name: name, location: .path, type: .string, isRequired: true, style: "simple", explode: false,
                        allowsReserved: false, isJSON: false, defaultValue: nil, documentation: Documentation()))
            }
        }
        let used = Set(parts.compactMap { if case .parameter(let place) = $0 { place } else { nil } })
        for (place, parameter) in parameters.enumerated() where parameter.location == .path && !used.contains(place) {
            log.warn("the path has no '{\(parameter.name)}'; the parameter is not sent", at: node)
        }
        let kept = parameters.indices.filter { parameters[$0].location != .path || used.contains($0) }
        let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($0.element, $0.offset) })
        parameters = kept.map { parameters[$0] }
        return parts.compactMap { part in
            guard case .parameter(let place) = part else { return part }
            return places[place].map { .parameter($0) }
        }
    }
}

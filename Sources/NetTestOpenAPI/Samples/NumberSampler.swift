#if Server
internal import NetCore

/// Generates numbers within bounds.
struct NumberSampler {
    let random: SampleRandom

    func number(_ schema: Schema, _ types: JSONTypes) -> JSONValue {
        let isWhole = types.contains(.integer) && (schema.types.map { !$0.contains(.number) } ?? false)
        if let step = schema.multipleOf { return multiple(of: step, schema, isWhole) }
        let room = schema.format.flatMap(IntegerFormat.init)?.bounds
        let least = schema.minimum ?? max(min(1, (schema.maximum ?? 1) - 10), room?.least ?? -.infinity)
        let most = schema.maximum ?? min(max(least, 0) + 99, room?.most ?? .infinity)
        guard isWhole else {
            if most < least || schema.excludesMinimum || schema.excludesMaximum { return .number((least + most) / 2) }
            let hundredths = (least * 100).rounded(.up) / 100 + Double(random.below(100)) / 100
            return .number(hundredths <= most ? hundredths : least).canonical
        }
        let low = schema.excludesMinimum ? (least + 1).rounded(.down) : least.rounded(.up)
        let high = schema.excludesMaximum ? (most - 1).rounded(.up) : most.rounded(.down)
        guard let low = Int(exactly: low), let high = Int(exactly: min(high, Double(low) + 1000)), low <= high else {
            return .number(least).canonical
        }
        return .integer(Int64(random.number(low...high)))
    }

    private func multiple(of step: Double, _ schema: Schema, _ isWhole: Bool) -> JSONValue {
        var factor = ((schema.minimum ?? step) / step).rounded(.up)
        if schema.excludesMinimum, factor * step == schema.minimum { factor += 1 }
        if let most = schema.maximum, factor * step > most { factor = (most / step).rounded(.down) }
        if isWhole, step < 1 { factor = (1 / step).rounded() }
        return JSONValue.number(factor * step).canonical
    }
}
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic in vector registers, written once over a type V of register operations. Each instruction set's
// file defines V in an unnamed namespace and includes this text there, so that nothing of it can be shared with
// code compiled for another processor.

using Row = const std::int16_t*;

// A fixed number of rows: the accumulator passes through registers once.
template <std::size_t Added, std::size_t Removed>
void update_fixed(std::int16_t* to, Row from, const RowChange& rows, int width) {
    Row added[Added];
    Row removed[Removed];
    for (std::size_t r = 0; r < Added; ++r)
        added[r] = rows.added[r];
    for (std::size_t r = 0; r < Removed; ++r)
        removed[r] = rows.removed[r];
    for (int i = 0; i < width; i += V::words) {
        V::Register sum = V::load(from + i);
        for (std::size_t r = 0; r < Added; ++r)
            sum = V::add16(sum, V::load(added[r] + i));
        for (std::size_t r = 0; r < Removed; ++r)
            sum = V::sub16(sum, V::load(removed[r] + i));
        V::store(to + i, sum);
    }
}

// Any number of rows: eight registers of the accumulator stay put while the rows stream by.
void update_any(std::int16_t* to, Row from, const RowChange& rows, int width) {
    constexpr int tile = width_unit / V::words < 8 ? width_unit / V::words : 8;
    for (int i = 0; i < width; i += tile * V::words) {
        V::Register sum[tile];
        for (int t = 0; t < tile; ++t)
            sum[t] = V::load(from + i + t * V::words);
        for (int r = 0; r < rows.added_count; ++r)
            for (int t = 0; t < tile; ++t)
                sum[t] = V::add16(sum[t], V::load(rows.added[r] + i + t * V::words));
        for (int r = 0; r < rows.removed_count; ++r)
            for (int t = 0; t < tile; ++t)
                sum[t] = V::sub16(sum[t], V::load(rows.removed[r] + i + t * V::words));
        for (int t = 0; t < tile; ++t)
            V::store(to + i + t * V::words, sum[t]);
    }
}

// The usual widths are known to the compiler.
template <std::size_t Added, std::size_t Removed>
void update_some(std::int16_t* to, Row from, const RowChange& rows, int width) {
    if (width == 256) return update_fixed<Added, Removed>(to, from, rows, 256);
    if (width == 512) return update_fixed<Added, Removed>(to, from, rows, 512);
    update_fixed<Added, Removed>(to, from, rows, width);
}

void update(std::int16_t* to, Row from, const RowChange& rows, int width) {
    // A quiet move or drop moves one feature, a capture two.
    if (rows.added_count == 1 && rows.removed_count == 1) return update_some<1, 1>(to, from, rows, width);
    if (rows.added_count == 2 && rows.removed_count == 2) return update_some<2, 2>(to, from, rows, width);
    update_any(to, from, rows, width);
}

// The sizes of a network: fixed ones let the compiler unroll everything, 0 means "as the network says".
template <int Width, int First, int Second, int Parts>
struct Shape {
    const Tail& tail;

    // Of one part.
    static constexpr int columns_limit = Width != 0 ? Width / Parts : max_width;
    static constexpr int first_limit = First != 0 ? First : max_hidden;
    static constexpr int second_limit = Second != 0 ? Second : max_hidden;

    int parts() const { return Parts != 0 ? Parts : tail.parts; }
    int columns() const { return Width != 0 ? Width / Parts : tail.width / tail.parts; }
    int part_outputs() const { return First != 0 ? First / Parts : tail.first[0].outputs; }
    int first_outputs() const { return parts() * part_outputs(); }
    int second_inputs() const { return First != 0 ? First : tail.second.inputs; }
    int second_outputs() const { return Second != 0 ? Second : tail.second.outputs; }
};

constexpr int whole_inputs(int count) { return (count + input_unit - 1) / input_unit * input_unit; }

// Chunks (four bytes) of an input are taken in groups of up to so many.
constexpr std::size_t largest_group = 4;

// Numbers of the chunks of an input that are not zero.
template <std::size_t Bytes>
struct Active {
    std::uint16_t chunk[Bytes / 4 + 16];  // room for one store too many
    std::size_t size = 0;

    void scan(V::Register bytes, int first) {
        size += static_cast<std::size_t>(V::append_active(chunk + size, bytes, first));
    }
    // Fills up the last group with a chunk of zeros: cheaper than a loop for the rest, which would end unpredictably.
    void fill_up(int zero_chunk) {
        for (std::size_t i = 0; i < largest_group - 1; ++i)
            chunk[size + i] = static_cast<std::uint16_t>(zero_chunk);
        size = (size + largest_group - 1) / largest_group * largest_group;
    }
    std::size_t count() const { return size; }
    std::size_t operator[](std::size_t k) const { return chunk[k]; }
};

template <std::size_t Bytes>
void add_zero_chunk(std::uint8_t* input, int size, Active<Bytes>& active) {
    for (int i = 0; i < 4; ++i)
        input[size + i] = 0;
    active.fill_up(size / 4);
}

// Every chunk of an input, which has whole groups of them.
struct AllChunks {
    std::uint32_t size;
    std::size_t count() const { return size; }
    std::size_t operator[](std::size_t k) const { return k; }
};

// Sums of products of chunks where a processor multiplies bytes into 16 bits: a group is added up in those, and then to
// the sum in 32.
template <typename Ops, std::size_t Registers, std::size_t Group>
class NarrowSum {
public:
    using Register = typename Ops::Register;

    explicit NarrowSum(const std::int32_t* bias) {
        for (std::size_t r = 0; r < Registers; ++r)
            sum_[r] = Ops::load(bias + r * Ops::lanes);
    }
    void add(const Register* x, const std::int8_t* const* weights) {
        for (std::size_t r = 0; r < Registers; ++r) {
            Register pairs = Ops::pairs(x[0], Ops::load(weights[0] + r * Ops::lanes * 4));
            for (std::size_t g = 1; g < Group; ++g)
                pairs = Ops::add16(pairs, Ops::pairs(x[g], Ops::load(weights[g] + r * Ops::lanes * 4)));
            sum_[r] = Ops::add32(sum_[r], Ops::widened(pairs));
        }
    }
    void store(std::int32_t* to) const {
        for (std::size_t r = 0; r < Registers; ++r)
            Ops::store(to + r * Ops::lanes, sum_[r]);
    }

private:
    Register sum_[Registers];
};

// The same where four products and their sum are one instruction. The members of a group go to sums of their own,
// because an instruction must wait several cycles before it can add to the result of another.
template <typename Ops, std::size_t Registers, std::size_t Group>
class ExactSum {
public:
    using Register = typename Ops::Register;

    explicit ExactSum(const std::int32_t* bias) {
        for (std::size_t r = 0; r < Registers; ++r)
            sum_[0][r] = Ops::load(bias + r * Ops::lanes);
        for (std::size_t g = 1; g < Group; ++g)
            for (std::size_t r = 0; r < Registers; ++r)
                sum_[g][r] = Ops::zero();
    }
    void add(const Register* x, const std::int8_t* const* weights) {
        for (std::size_t r = 0; r < Registers; ++r)
            for (std::size_t g = 0; g < Group; ++g)
                sum_[g][r] = Ops::dot(sum_[g][r], x[g], Ops::load(weights[g] + r * Ops::lanes * 4));
    }
    void store(std::int32_t* to) const {
        for (std::size_t r = 0; r < Registers; ++r) {
            Register total = sum_[0][r];
            for (std::size_t g = 1; g < Group; ++g)
                total = Ops::add32(total, sum_[g][r]);
            Ops::store(to + r * Ops::lanes, total);
        }
    }

private:
    Register sum_[Group][Registers];
};

template <std::size_t Registers, std::size_t Group>
using Sum = std::conditional_t<V::exact, ExactSum<V, Registers, Group>, NarrowSum<V, Registers, Group>>;

// Outputs `base` .. `base + Registers * lanes` of a layer with `outputs` outputs, for the chunks named, `Group` of them
// at a time.
template <std::size_t Registers, std::size_t Group, typename Chunks>
void affine_tile(const Dense& layer, int outputs, const std::uint8_t* input, const Chunks& chunks, int base,
                 std::int32_t* output) {
    const std::int8_t* tile = layer.weights + base * 4;
    const auto stride = static_cast<std::size_t>(outputs) * 4;
    Sum<Registers, Group> sum(layer.bias + base);
    const std::size_t count = chunks.count();
    for (std::size_t k = 0; k < count; k += Group) {
        V::Register x[Group];
        const std::int8_t* weights[Group];
        for (std::size_t g = 0; g < Group; ++g) {
            x[g] = V::broadcast(input + chunks[k + g] * 4);
            weights[g] = tile + chunks[k + g] * stride;
        }
        sum.add(x, weights);
    }
    sum.store(output + base);
}

template <std::size_t Registers, typename Chunks>
void affine_registers(const Dense& layer, int outputs, const std::uint8_t* input, const Chunks& chunks, int base,
                      std::int32_t* output) {
    if constexpr (V::exact)
        affine_tile<Registers, 2>(layer, outputs, input, chunks, base, output);
    else if (layer.group >= 4)
        affine_tile<Registers, 4>(layer, outputs, input, chunks, base, output);
    else if (layer.group == 2)
        affine_tile<Registers, 2>(layer, outputs, input, chunks, base, output);
    else
        affine_tile<Registers, 1>(layer, outputs, input, chunks, base, output);
}

template <typename Chunks>
void affine(const Dense& layer, int outputs, const std::uint8_t* input, const Chunks& chunks, std::int32_t* output) {
    int base = 0;
    for (; base + 32 <= outputs; base += 32)
        affine_registers<32 / V::lanes>(layer, outputs, input, chunks, base, output);
    for (; base + 16 <= outputs; base += 16)
        affine_registers<16 / V::lanes>(layer, outputs, input, chunks, base, output);
    for (; base < outputs; base += V::lanes)
        affine_registers<1>(layer, outputs, input, chunks, base, output);
}

// max(0, min(127, x >> 6)) as bytes. Zeros follow up to a whole input of the next layer.
void activate(std::int32_t* input, std::uint8_t* output, int count) {
    const int whole = whole_inputs(count);
    for (int i = count; i < whole; ++i)
        input[i] = 0;
    for (int i = 0; i < whole; i += input_unit)
        V::narrow(input + i, output + i);
}

// The second hidden layer and the output, common to both kinds of network.
template <typename S>
std::int32_t finish(const S& shape, const std::uint8_t* input) {
    alignas(64) std::int32_t hidden[whole_inputs(S::second_limit)];
    alignas(64) std::uint8_t activated[whole_inputs(S::second_limit)];
    const int outputs = shape.second_outputs();
    affine(shape.tail.second, outputs, input, AllChunks{static_cast<std::uint32_t>(shape.second_inputs()) / 4}, hidden);
    activate(hidden, activated, outputs);
    return shape.tail.output_bias + V::dot_row(activated, shape.tail.output, whole_inputs(outputs));
}

// One part of the first layer: its columns of both accumulators, clipped, and its outputs.
template <typename S>
void first_part(const S& shape, int part, Row own, Row other, std::int32_t* hidden) {
    alignas(64) std::uint8_t input[2 * S::columns_limit + 4];
    Active<std::size_t{2} * S::columns_limit> active;
    const int columns = shape.columns();
    const Row sides[2] = {own + part * columns, other + part * columns};
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < columns; i += V::words * 2) {
            const int at = side * columns + i;
            const V::Register bytes = V::clip(V::load(sides[side] + i), V::load(sides[side] + i + V::words));
            V::store(input + at, bytes);
            active.scan(bytes, at / 4);
        }
    add_zero_chunk(input, 2 * columns, active);
    affine(shape.tail.first[part], shape.part_outputs(), input, active, hidden + part * shape.part_outputs());
}

template <typename S>
std::int32_t classic_shape(const S& shape, Row own, Row other) {
    alignas(64) std::int32_t hidden[whole_inputs(S::first_limit)];
    alignas(64) std::uint8_t activated[whole_inputs(S::first_limit)];
    for (int part = 0; part < shape.parts(); ++part)
        first_part(shape, part, own, other, hidden);
    activate(hidden, activated, shape.first_outputs());
    return finish(shape, activated);
}

std::int32_t classic(const Tail& tail, Row own, Row other) {
    const int first = tail.parts * tail.first[0].outputs;
    if (first == 32 && tail.second.outputs == 32 && tail.parts == 1) {
        if (tail.width == 256) return classic_shape(Shape<256, 32, 32, 1>{tail}, own, other);
        if (tail.width == 512) return classic_shape(Shape<512, 32, 32, 1>{tail}, own, other);
    }
    if (first == 64 && tail.second.outputs == 64 && tail.width == 512 && tail.parts == 2)
        return classic_shape(Shape<512, 64, 64, 2>{tail}, own, other);
    return classic_shape(Shape<0, 0, 0, 0>{tail}, own, other);
}

std::int32_t product(const Tail& tail, Row own, Row other) {
    using S = Shape<0, 0, 0, 0>;
    alignas(64) std::uint8_t input[max_width + 4];
    Active<max_width> active;
    const int half = tail.width / 2;
    const Row sides[2] = {own, other};
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < half; i += V::words * 2) {
            const int at = side * half + i;
            const Row a = sides[side] + i;
            const Row b = a + half;
            const V::Register bytes = V::multiply(V::load(a), V::load(a + V::words), V::load(b), V::load(b + V::words));
            V::store(input + at, bytes);
            active.scan(bytes, at / 4);
        }
    add_zero_chunk(input, tail.width, active);
    alignas(64) std::int32_t hidden[max_hidden];
    affine(tail.first[0], tail.first[0].outputs, input, active, hidden);
    alignas(64) std::uint8_t activated[2 * max_hidden];
    for (int i = 2 * tail.hidden; i < tail.second.inputs; ++i)
        activated[i] = 0;
    for (int i = 0; i < tail.hidden; ++i) {
        const int x = hidden[i];
        const std::int64_t square = static_cast<std::int64_t>(x) * x >> 19;
        const int clipped = x < 0 ? 0 : x >> 6;
        activated[i] = static_cast<std::uint8_t>(square > 127 ? 127 : square);
        activated[tail.hidden + i] = static_cast<std::uint8_t>(clipped > 127 ? 127 : clipped);
    }
    return finish(S{tail}, activated) + (tail.shortcut ? hidden[tail.hidden] : 0);
}

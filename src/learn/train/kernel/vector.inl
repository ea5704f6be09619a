// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic in vector registers, written once over a type V of register operations. Each instruction set's file
// defines V in an unnamed namespace and includes this text there, so that nothing of it can be shared with code
// compiled for another processor.

using Register = V::Register;

// Some registers' worth of columns stay put while rows stream by.
template <std::size_t Registers>
struct Columns {
    Register sum[Registers];

    explicit Columns(const float* from) {
        for (std::size_t i = 0; i < Registers; ++i)
            sum[i] = V::load(from + i * V::lanes);
    }
    void add(const float* row) {
        for (std::size_t i = 0; i < Registers; ++i)
            sum[i] = V::add(sum[i], V::load(row + i * V::lanes));
    }
    void store(float* to) const {
        for (std::size_t i = 0; i < Registers; ++i)
            V::store(to + i * V::lanes, sum[i]);
    }
};

template <std::size_t Width>
void activate_slice(float* to, const float* bias, const float* table, const std::uint16_t* rows, std::size_t count) {
    Columns<Width / V::lanes> columns(bias);
    for (std::size_t r = 0; r < count; ++r)
        columns.add(table + rows[r] * Width);
    for (Register& each : columns.sum)
        each = V::min(V::max(each, V::zero()), V::broadcast(1));
    columns.store(to);
}

void activate(float* to, const float* bias, const float* table, const std::uint16_t* rows, std::size_t count,
              std::size_t columns) {
    if (columns == 64) return activate_slice<64>(to, bias, table, rows, count);
    if (columns == 32) return activate_slice<32>(to, bias, table, rows, count);
    activate_slice<16>(to, bias, table, rows, count);
}

template <std::size_t Width>
void gather_slice(float* sum, const float* table, const std::uint32_t* rows, std::size_t count) {
    Columns<Width / V::lanes> columns(sum);
    for (std::size_t r = 0; r < count; ++r)
        columns.add(table + rows[r] * Width);
    columns.store(sum);
}

void gather(float* sum, const float* table, const std::uint32_t* rows, std::size_t count, std::size_t columns) {
    if (columns == 64) return gather_slice<64>(sum, table, rows, count);
    if (columns == 32) return gather_slice<32>(sum, table, rows, count);
    gather_slice<16>(sum, table, rows, count);
}

void add(float* to, const float* a, const float* b, std::size_t count) {
    for (std::size_t i = 0; i < count; i += V::lanes)
        V::store(to + i, V::add(V::load(a + i), V::load(b + i)));
}

// A tile of the result in registers: enough independent sums to keep both multipliers busy.
template <std::size_t Rows, std::size_t Registers>
void multiply_tile(const Product& p, std::size_t row, std::size_t column) {
    Register sum[Rows][Registers];
    float* const c = p.c + row * p.c_stride + column;
    for (std::size_t r = 0; r < Rows; ++r)
        for (std::size_t i = 0; i < Registers; ++i)
            sum[r][i] = V::load(c + r * p.c_stride + i * V::lanes);
    const float* a = p.a + row * p.a_row;
    const float* b = p.b + column;
    for (std::size_t k = 0; k < p.steps; ++k, a += p.a_step, b += p.b_stride) {
        Register line[Registers];
        for (std::size_t i = 0; i < Registers; ++i)
            line[i] = V::load(b + i * V::lanes);
        for (std::size_t r = 0; r < Rows; ++r) {
            const Register factor = V::broadcast(a[r * p.a_row]);
            for (std::size_t i = 0; i < Registers; ++i)
                sum[r][i] = V::multiply_add(factor, line[i], sum[r][i]);
        }
    }
    for (std::size_t r = 0; r < Rows; ++r)
        for (std::size_t i = 0; i < Registers; ++i)
            V::store(c + r * p.c_stride + i * V::lanes, sum[r][i]);
}

template <std::size_t Rows, std::size_t Registers>
void multiply_columns(const Product& p, std::size_t column) {
    std::size_t row = 0;
    for (; row + Rows <= p.rows; row += Rows)
        multiply_tile<Rows, Registers>(p, row, column);
    for (; row < p.rows; ++row)
        multiply_tile<1, Registers>(p, row, column);
}

void multiply(const Product& p) {
    constexpr std::size_t wide = V::tile_registers * V::lanes;
    std::size_t column = 0;
    for (; column + wide <= p.columns; column += wide)
        multiply_columns<V::tile_rows, V::tile_registers>(p, column);
    for (; column < p.columns; column += lane_unit)
        multiply_columns<V::narrow_tile_rows, lane_unit / V::lanes>(p, column);
}

void deactivate(float* x, const float* gradient, float* sum, std::size_t rows, std::size_t columns) {
    for (std::size_t c = 0; c < columns; c += V::lanes) {
        Register total = V::load(sum + c);
        for (std::size_t r = 0; r < rows; ++r) {
            float* const place = x + r * columns + c;
            const Register kept = V::where_inside(V::load(place), V::load(gradient + r * columns + c));
            V::store(place, kept);
            total = V::add(total, kept);
        }
        V::store(sum + c, total);
    }
}

void adam(float* value, float* mean, float* square, const float* gradient, std::size_t count, const AdamStep& step) {
    const Register mean_keep = V::broadcast(step.mean_keep);
    const Register square_keep = V::broadcast(step.square_keep);
    const Register square_factor = V::broadcast(step.square_factor);
    const Register epsilon = V::broadcast(step.epsilon);
    const Register back = V::broadcast(-step.rate);
    const Register shrink = V::broadcast(1 - step.decay);
    const Register high = V::broadcast(step.limit);
    const Register low = V::broadcast(-step.limit);
    for (std::size_t i = 0; i < count; i += V::lanes) {
        const Register g = V::load(gradient + i);
        const Register g2 = V::multiply(g, g);
        const Register m = V::multiply_add(V::subtract(V::load(mean + i), g), mean_keep, g);
        const Register s = V::multiply_add(V::subtract(V::load(square + i), g2), square_keep, g2);
        V::store(mean + i, m);
        V::store(square + i, s);
        const Register length = V::add(V::root(V::multiply(s, square_factor)), epsilon);
        const Register kept = V::multiply(V::load(value + i), shrink);
        const Register moved = V::multiply_add(back, V::divide(m, length), kept);
        V::store(value + i, V::min(V::max(moved, low), high));
    }
}

void blend(float* average, const float* value, float share, std::size_t count) {
    const Register factor = V::broadcast(share);
    for (std::size_t i = 0; i < count; i += V::lanes) {
        const Register before = V::load(average + i);
        V::store(average + i, V::multiply_add(V::subtract(V::load(value + i), before), factor, before));
    }
}

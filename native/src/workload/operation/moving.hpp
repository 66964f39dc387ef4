// What a cache mode does to the buffers of an operation. Knows no MPI.
#pragma once

namespace ictus {

class MovingBuffers {
public:
    /// On to the next place of each buffer's area, where it has one (CallSite::area_bytes). Never timed.
    virtual void advance() {}

protected:
    ~MovingBuffers() = default;
};

} // namespace ictus

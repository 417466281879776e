"""The bits of the same sum by torch, on its CPU and its GPU: lines of README's table."""
import numpy
import torch

COUNT = 4000037


def elements():
    """As data.hpp has them."""
    mixed = numpy.arange(COUNT, dtype=numpy.uint32) * numpy.uint32(2654435761)
    fraction = (mixed >> 8).astype(numpy.float32) * numpy.float32(2.0**-24) - numpy.float32(0.25)
    return fraction * (numpy.uint32(1) << (mixed & 15)).astype(numpy.float32)


def main():
    x = torch.from_numpy(elements())
    devices = [("cpu", "1 thread")]
    if torch.cuda.is_available():
        devices.append(("cuda", torch.cuda.get_device_name(0)))
    torch.set_num_threads(1)
    for device, name in devices:
        bits = x.to(device).sum().cpu().numpy().view(numpy.uint32)
        print(f"| `torch.sum` | {name} | `{int(bits):08x}` |")


if __name__ == "__main__":
    main()

/* Preloaded replacement for DMA heaps on a kernel without them: serves the ioctl calls of libcamera on
   /dev/dma_heap/system, which is an empty file here, from anonymous memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

int ioctl(int fd, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  switch (request) {
    case DMA_HEAP_IOCTL_ALLOC: {
      struct dma_heap_allocation_data *wanted = argument;
      int memory = memfd_create("picture", MFD_CLOEXEC);
      if (memory < 0 || ftruncate(memory, (off_t)wanted->len)) return -1;
      wanted->fd = (unsigned)memory;
      return 0;
    }
    case DMA_BUF_IOCTL_SYNC:
    case DMA_BUF_SET_NAME_A:
    case DMA_BUF_SET_NAME_B:
      return 0;
  }
  int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  return real(fd, request, argument);
}

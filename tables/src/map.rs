//! Files mapped into memory, and memory that is mapped for itself: the one module of the workspace's libraries that needs `unsafe`.

use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use memmap2::{Mmap, MmapMut};

use crate::storage::open_file;

/// A file mapped into memory, to be read as bytes.
///
/// Tables are replaced by renaming and never written in place by this crate, so a mapping keeps showing the file that was
/// opened. Whoever writes into a table file or cuts it short while it is mapped may make readers see other bytes, which
/// the checksums tell, or end the process with a bus error; a [`ReadFile`](crate::ReadFile) does not.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped, or is not a file.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> io::Result<MappedFile> {
        let (file, _) = open_file(path)?;
        // SAFETY: the mapping is private to this type and only ever lent as `&[u8]`. That no one changes the file meanwhile
        // cannot be enforced; the type's documentation says what is done about it and what remains.
        let map = unsafe { Mmap::map(&file)? };
        #[cfg(unix)]
        map.advise(memmap2::Advice::Random)?;
        Ok(MappedFile(map))
    }
}

impl AsRef<[u8]> for MappedFile {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Words that threads share, at first zero, in large pages where the system has them: looking something up at random in memory
/// of small ones takes twice as long, since the processor has to find the page as well.
#[derive(Debug)]
pub struct SharedWords(MmapMut);

impl SharedWords {
    /// So many words. The system gives the memory as it is first written to.
    ///
    /// # Errors
    /// If there is not as much, not even in name.
    pub fn zeroed(words: usize) -> io::Result<SharedWords> {
        let bytes = words.checked_mul(size_of::<AtomicU64>());
        let bytes = bytes.ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        // Where it is refused, pages stay small.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(SharedWords(map))
    }
}

impl Deref for SharedWords {
    type Target = [AtomicU64];

    #[inline]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[AtomicU64] {
        let words = self.0.len() / size_of::<AtomicU64>();
        // SAFETY: the map begins at a page, so it is aligned; any bytes are a word; it is as long as the slice, lives as long as it, and is
        // private to this type, which lends it as atomic words only, so that sharing it is sound.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), words) }
    }
}

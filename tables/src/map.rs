//! Files mapped into memory: the one module of the workspace's libraries that needs `unsafe`.

use std::io;
use std::path::Path;

use memmap2::Mmap;

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

//! Where the bytes of a table are: in memory (a `Vec`, a `static`, a mapped file) or behind reads of a file.

use std::fs::File;
use std::io;
use std::path::Path;

/// Bytes that can be read at any place. Everything that is `AsRef<[u8]>` is one, at no cost.
pub trait Storage: Send + Sync {
    /// How many bytes there are.
    fn size(&self) -> u64;

    /// The `len` bytes from `offset`, either lent from where they are or read into `scratch`.
    ///
    /// # Errors
    /// If they cannot be read or there are fewer.
    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]>;
}

impl<D: AsRef<[u8]> + Send + Sync> Storage for D {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let start = usize::try_from(offset).ok();
        let bytes = start.and_then(|start| self.as_ref().get(start..)?.get(..len));
        bytes.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// A file that is read piece by piece with positioned reads, without being mapped. A probe then costs a system call, but
/// a file that shrinks or a disk that fails gives an error instead of a signal.
#[derive(Debug)]
pub struct ReadFile {
    file: File,
    size: u64,
}

impl ReadFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened, or is not a file.
    pub fn open(path: &Path) -> io::Result<ReadFile> {
        let (file, size) = open_file(path)?;
        Ok(ReadFile { file, size })
    }
}

impl Storage for ReadFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        if offset.checked_add(len as u64).is_none_or(|end| end > self.size) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        scratch.resize(len, 0);
        read_exact_at(&self.file, scratch, offset)?;
        Ok(scratch)
    }
}

/// Opens a regular file and tells its size.
pub(crate) fn open_file(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok((file, metadata.len()))
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}

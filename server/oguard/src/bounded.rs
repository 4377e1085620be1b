//! Files read whole, up to a bound.
//!
//! Only plain ones: a pipe or a device in a file's place gives no length and need not end, and whoever can write in a
//! repository can put one there.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Returns the bytes of a plain file, links followed.
///
/// # Errors
/// Where it cannot be read, is no plain file, or is larger than `bytes_max`; the words complete "PATH: …".
pub(crate) fn read(path: &Path, bytes_max: u64) -> Result<Vec<u8>> {
    // Looked at before it is opened: opening a pipe waits for who writes into it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is no plain file"));
    }
    let mut bytes = Vec::new();
    // The length that a file system tells is not asked: some files have none and hold much.
    File::open(path)?.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is larger than {}", size(bytes_max))));
    }
    Ok(bytes)
}

/// Returns the text of a plain file as [`read`] does; what is not UTF-8 is replaced.
///
/// # Errors
/// As [`read`].
pub(crate) fn text(path: &Path, bytes_max: u64) -> Result<String> {
    read(path, bytes_max).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn size(bytes: u64) -> String {
    const MB: u64 = 1024 * 1024;
    if bytes >= MB { format!("{} MB", bytes / MB) } else { format!("{} KB", bytes / 1024) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_bound() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a");
        std::fs::write(&path, [b'x'; 1025]).unwrap();
        assert_eq!(read(&path, 1025).unwrap().len(), 1025);
        assert_eq!(read(&path, 1024).unwrap_err().to_string(), "it is larger than 1 KB");
        assert_eq!(read(temp.path(), 1024).unwrap_err().to_string(), "it is no plain file");
        assert_eq!(read(&temp.path().join("b"), 1024).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_end_is_not_begun() {
        let temp = tempfile::tempdir().unwrap();
        let (device, pipe) = (temp.path().join("device"), temp.path().join("pipe"));
        std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [device, pipe] {
            assert_eq!(read(&path, 1024).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
    }
}

//! Reads the frames of the base protocol, and repairs what clients get wrong.
//!
//! One bad frame ends every published server framework (facts of the field: lower-case headers, batches, chunked surrogate
//! pairs, wrong lengths), so the bytes are decoded here: any header case, any further header, a cap on the size, and after
//! anything else the stream goes on at the next `Content-Length`. What a frame means is `gate`'s business.

use serde_json::Value;
use std::io::Read;

/// Largest body that is read, in bytes; eight times the largest file that is judged, for its escapes.
pub(crate) const BODY_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Longest run of headers in bytes; three short lines are usual.
const HEADERS_BYTES_MAX: usize = 8 * 1024;

/// Bytes asked of the stream at a time.
const READ_BYTES: usize = 64 * 1024;

/// A buffer larger than this is given back once a large message is done.
const BUFFER_BYTES_KEPT: usize = 1024 * 1024;

/// What the stream held next.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    /// A body that is JSON.
    Json(Value),
    /// Something that is none; the reason is for the client.
    Bad(&'static str),
}

/// Reads frames from a stream; blocks while it waits.
pub(crate) struct Frames<R> {
    reader: R,
    decoder: Decoder,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(reader: R) -> Self {
        Frames { reader, decoder: Decoder::default() }
    }

    /// Returns the next frame, or none at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.decoder.next() {
                return Some(frame);
            }
            match self.decoder.fill(&mut self.reader) {
                Ok(0) => return None,
                Err(error) if error.kind() != std::io::ErrorKind::Interrupted => return None,
                _ => {}
            }
        }
    }
}

/// Turns bytes into frames, however they were cut.
#[derive(Default)]
pub(crate) struct Decoder {
    buffer: Vec<u8>,
    /// First byte that is not used up.
    at: usize,
    /// Bytes before this hold no header line.
    searched: usize,
    /// Length and first byte of the body that is being waited for.
    body: Option<(u64, usize)>,
    /// Something that is no header was skipped and is to be told.
    garbage: bool,
    /// The client was told of something bad, of which what is skipped now is the rest.
    told: bool,
}

impl Decoder {
    #[cfg(test)]
    fn push(&mut self, bytes: &[u8]) {
        self.compact();
        self.buffer.extend_from_slice(bytes);
    }

    fn fill(&mut self, reader: &mut impl Read) -> std::io::Result<usize> {
        self.compact();
        let old = self.buffer.len();
        // A body that is on its way is read in growing steps, so that a large one costs few calls.
        let step = READ_BYTES.max(old);
        self.buffer.resize(old + step.min(BUFFER_BYTES_KEPT), 0);
        let read = reader.read(&mut self.buffer[old..]);
        self.buffer.truncate(old + *read.as_ref().unwrap_or(&0));
        read
    }

    fn compact(&mut self) {
        if self.at == 0 {
            return;
        }
        self.buffer.drain(..self.at);
        self.searched = self.searched.saturating_sub(self.at);
        if let Some((_, start)) = &mut self.body {
            *start -= self.at;
        }
        self.at = 0;
        if self.buffer.len() < READ_BYTES && self.buffer.capacity() > BUFFER_BYTES_KEPT {
            self.buffer.shrink_to(READ_BYTES);
        }
    }

    /// Returns the next frame in the bytes at hand, or none where more are needed.
    pub(crate) fn next(&mut self) -> Option<Frame> {
        let frame = self.frame()?;
        self.told = matches!(frame, Frame::Bad(_));
        Some(frame)
    }

    fn frame(&mut self) -> Option<Frame> {
        if self.body.is_none() && !self.headers() {
            return None;
        }
        if std::mem::take(&mut self.garbage) && !self.told {
            return Some(Frame::Bad("bytes between messages that are no header were skipped"));
        }
        let (length, start) = self.body?;
        if length > BODY_BYTES_MAX {
            self.resume(start);
            return Some(Frame::Bad("the message is larger than 64 MB"));
        }
        let end = start + length as usize;
        if end <= self.buffer.len() {
            let (frame, used) = parse(&self.buffer[start..end]);
            self.resume(start + used);
            return Some(frame);
        }
        // A length that is too large swallows the frames behind it: a header line in a body is never valid JSON.
        let Some(header) = header_line(&self.buffer, self.searched.max(start)) else {
            self.searched = line_start(&self.buffer, start);
            return None;
        };
        let (frame, _) = parse(&self.buffer[start..header.start]);
        self.resume(header.start);
        Some(frame)
    }

    fn resume(&mut self, at: usize) {
        self.body = None;
        self.at = at;
        self.searched = at;
    }

    /// Finds the next header block; true where a body is now known.
    fn headers(&mut self) -> bool {
        let Some(header) = header_line(&self.buffer, self.searched.max(self.at)) else {
            self.searched = line_start(&self.buffer, self.at);
            // Nothing before the last line can become a header any more.
            if self.searched - self.at > HEADERS_BYTES_MAX || self.buffer.len() - self.searched > HEADERS_BYTES_MAX {
                self.garbage |= !only_headers(&self.buffer[self.at..self.searched]);
                let keep = (self.buffer.len() - self.searched).min(HEADER_LINE_BYTES);
                self.at = self.buffer.len() - keep;
                self.searched = self.at;
            }
            return false;
        };
        let mut length = header.length;
        let mut line = header.end;
        loop {
            let Some(size) = memchr::memchr(b'\n', &self.buffer[line..]) else {
                if self.buffer.len() - header.start > HEADERS_BYTES_MAX {
                    self.garbage = true;
                    self.resume(self.buffer.len());
                }
                return false;
            };
            let next = line + size + 1;
            if self.buffer[line..next].trim_ascii().is_empty() {
                self.garbage |= !only_headers(&self.buffer[self.at..header.start]);
                self.body = Some((length, next));
                self.searched = next;
                return true;
            }
            if let Some(other) = header_line(&self.buffer[..next], line) {
                length = other.length;
            }
            line = next;
        }
    }
}

/// A `Content-Length` line: where it starts and ends, and what it says.
struct HeaderLine {
    start: usize,
    end: usize,
    length: u64,
}

/// Longest text of a `Content-Length` line that is worth keeping when a stream of garbage is dropped.
const HEADER_LINE_BYTES: usize = 64;

/// Returns the first line from a byte on that ends in `Content-Length: N`, read backwards from its line end, so that what a
/// cut body left in front of it does not matter.
fn header_line(buffer: &[u8], from: usize) -> Option<HeaderLine> {
    const NAME: &[u8] = b"content-length";
    for newline in memchr::memchr_iter(b'\n', buffer.get(from..)?).map(|i| from + i) {
        let line = buffer[from..newline].trim_ascii_end();
        let digits = line.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (rest, number) = line.split_at(line.len() - digits);
        let Some(name) = rest.trim_ascii_end().strip_suffix(b":") else { continue };
        let name = name.trim_ascii_end();
        if digits == 0 || name.len() < NAME.len() || !name[name.len() - NAME.len()..].eq_ignore_ascii_case(NAME) {
            continue;
        }
        let length = std::str::from_utf8(number).ok().and_then(|n| n.parse().ok()).unwrap_or(u64::MAX);
        return Some(HeaderLine { start: from + name.len() - NAME.len(), end: newline + 1, length });
    }
    None
}

/// Returns the start of the last line that is not complete yet.
fn line_start(buffer: &[u8], from: usize) -> usize {
    memchr::memrchr(b'\n', &buffer[from..]).map_or(from, |i| from + i + 1)
}

/// Whether bytes are nothing but further headers and blank lines.
fn only_headers(bytes: &[u8]) -> bool {
    bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).all(|line| {
        let name = memchr::memchr(b':', line).map(|colon| &line[..colon]);
        let is_name = |name: &[u8]| name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
        line.is_empty() || name.is_some_and(|name| is_name(name) && !name.eq_ignore_ascii_case(b"content-length"))
    })
}

/// Reads a body; returns the frame and how many of its bytes were used: fewer where it holds the start of another frame.
fn parse(body: &[u8]) -> (Frame, usize) {
    if let Ok(value) = serde_json::from_slice(body) {
        return (Frame::Json(value), body.len());
    }
    let end = header_line(body, 0).map_or(body.len(), |next| next.start);
    // A length that is a little too large cuts the next header; what follows the object is looked at again.
    let used = object_end(&body[..end]).unwrap_or(end);
    let own = &body[..used];
    let value = serde_json::from_slice(own).or_else(|_| serde_json::from_str(&repaired(own)));
    match value.ok().filter(Value::is_object) {
        Some(value) => (Frame::Json(value), used),
        None => (Frame::Bad("the message is not JSON"), end),
    }
}

/// Returns the end of the object that bytes start with, found by its braces.
fn object_end(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Replaces what is no text: invalid UTF-8, and the half of a surrogate pair that a client cut in two.
fn repaired(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let size = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => rest.chars().take(2).map(char::len_utf8).sum(),
        };
        out.push_str(&rest[..size]);
        rest = &rest[size..];
    }
    out.push_str(rest);
    out
}

/// Returns the code unit of a `\uXXXX` escape that a text starts with.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn frame(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn all(bytes: &[u8], cut: usize) -> Vec<Frame> {
        let mut decoder = Decoder::default();
        let mut frames = Vec::new();
        for chunk in bytes.chunks(cut) {
            decoder.push(chunk);
            frames.extend(std::iter::from_fn(|| decoder.next()));
        }
        frames
    }

    /// The next request is found however the bytes arrive.
    fn survives(bad: &[u8]) {
        let request = r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#;
        let bytes = [frame(r#"{"id":1}"#).as_bytes(), bad, frame(request).as_bytes()].concat();
        for cut in [1, 2, 3, 7, 64, bytes.len()] {
            let frames = all(&bytes, cut);
            assert_eq!(frames.first(), Some(&Frame::Json(json!({"id": 1}))), "cut {cut}");
            let last = Frame::Json(json!({"jsonrpc": "2.0", "id": 7, "method": "x"}));
            assert_eq!(frames.last(), Some(&last), "cut {cut}: {frames:?}");
        }
    }

    #[test]
    fn malformed_frames_cost_no_more_than_themselves() {
        survives(frame("{\"id\": oops}").as_bytes());
        survives(frame("5").as_bytes());
        survives(frame("[]").as_bytes());
        survives(&[b"Content-Length: 9\r\n\r\n".as_slice(), b"{\"a\":\"\xff\"}"].concat());
        survives(b"content-length: 2\r\n\r\n{}");
        survives(b"Content-Type: application/vscode-jsonrpc\r\nContent-Length: 2\r\n\r\n{}");
        survives(b"X-A: 1\r\nContent-Length: 2\r\nX-B: 2\r\n\r\n{}");
        survives(b"what is this\r\n");
        survives(b"what is this\r\n\r\n");
        survives(b"Content-Length: -5\r\n\r\n{}");
        survives(b"Content-Length: 9000000000\r\n\r\n{}");
        survives(b"Content-Length: 99999999999999999999999\r\n\r\n{}");
        survives(b"Content-Length: 0\r\n\r\n");
        survives(b"Content-Length: 12\r\n\r\n{}");
        survives(b"Content-Length: 5000\r\n\r\n{}");
        survives(b"Content-Length: 9\r\n\r\n{\"}\":1}");
        survives(b"Content-Length: 1\r\n\r\n{\"a\": 1}");
        survives(b"CONTENT-LENGTH:2\n\n{}");
        survives(&[b'x'; 200_000]);
        survives(&b"noise\n".repeat(20_000));
    }

    #[test]
    fn a_message_with_a_wrong_length_still_counts() {
        let bytes = b"Content-Length: 40\r\n\r\n{\"id\":1}Content-Length: 8\r\n\r\n{\"id\":2}";
        assert_eq!(all(bytes, 5), [Frame::Json(json!({"id": 1})), Frame::Json(json!({"id": 2}))]);
    }

    #[test]
    fn halves_of_a_surrogate_pair_become_replacement_characters() {
        let body = r#"{"a":"\ud83d","b":"\ude00x","c":"\ud83d\ude00","d":"\\ud83d","e":"\u00e9"}"#;
        let want = json!({"a": "\u{fffd}", "b": "\u{fffd}x", "c": "\u{1f600}", "d": "\\ud83d", "e": "é"});
        assert_eq!(all(frame(body).as_bytes(), 9), [Frame::Json(want)]);
    }

    #[test]
    fn header_text_inside_a_string_is_no_header() {
        let body = r#"{"text":"Content-Length: 5\r\n\r\n{}"}"#;
        let frames = all(frame(body).as_bytes(), 4);
        assert_eq!(frames, [Frame::Json(json!({"text": "Content-Length: 5\r\n\r\n{}"}))]);
    }
}

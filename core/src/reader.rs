//! A place in a text that is being read.

use crate::board::{Board, Square};
use crate::naming::{NoSuchSquare, leading_name};

/// A place in a text. It moves over whole characters, so that it is always at the beginning of a character.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    /// The byte at which it is.
    pub at: usize,
}

/// Why there is no square at some place.
pub(crate) enum NoSquare {
    /// What stands there is no name of a square.
    NotAName,
    /// The name of a square that the board lacks.
    NotOnBoard(NoSuchSquare),
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next byte.
    pub fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    /// Passes over spaces, and underscores, which stand for them in addresses.
    pub fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == b'_') {
            self.at += 1;
        }
    }

    /// Whether the next byte but spaces is this one, in either case; it is then passed over.
    pub fn eat(&mut self, byte: u8) -> bool {
        self.skip_spaces();
        let found = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(&byte));
        self.at += usize::from(found);
        found
    }

    /// Whether the next character is one of these; it is then passed over.
    pub fn eat_any(&mut self, marks: &[char]) -> bool {
        let found = self.rest().chars().next().filter(|next| marks.contains(next));
        self.at += found.map_or(0, char::len_utf8);
        found.is_some()
    }

    /// Passes over digits and says how many.
    pub fn digits(&mut self) -> usize {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        digits
    }

    /// Passes over a square, and says whether it is written as a number. At an error the place is behind what
    /// was read of it.
    pub fn square<B: Board>(&mut self) -> Result<(Square, bool), NoSquare> {
        let name = leading_name::<B>(self.rest()).ok_or(NoSquare::NotAName)?;
        self.at += name.len;
        let square = name.square.ok_or(NoSquare::NotOnBoard(NoSuchSquare::on::<B>()))?;
        Ok((square, name.is_number))
    }

    /// What an error about something that begins at `start` shows: what has been read since then, or the next few
    /// characters if that is nothing.
    pub fn excerpt(&self, start: usize) -> String {
        let read = self.text[start..self.at].trim_end();
        shortened(if read.is_empty() { unread(&self.text[start..]) } else { read })
    }
}

/// A text for a message, cut if it is long.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The beginning of a text that was not read, up to what separates its parts, but not nothing.
fn unread(rest: &str) -> &str {
    let separates = |c: char| matches!(c, ':' | ',' | ' ');
    let end = rest.char_indices().find(|&(at, c)| at > 0 && separates(c));
    end.map_or(rest, |(end, _)| &rest[..end])
}

/** A JPEG of 32 by 16 pixels: red and green above blue and yellow, as the camera saw it. */
const photo = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wEEEAANAA0ADQANAA4ADQAOABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAE' +
    'QAKgAyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAEsAVQBsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFOEQANAA0ADQANAA4A' +
    'DQAOABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAEQAKgAyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAE' +
    'sAVQBsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFO/8EAEQgAEAAgAwERAAIRAQMRAf/EAFAAAQEBAAAAAAAAAAAAAAAAAAAGBxABAAAA' +
    'AAAAAAAAAAAAAAAAAAEBAQEBAQAAAAAAAAAAAAAAAAUIBgcRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJ9FenAK5FZvAZo0E7UBvL' +
    'MS0A//2Q==',
  'base64',
);

/** That photo with an EXIF orientation from 1 to 8. */
export function photoHeld(orientation: number): Buffer {
  const note = Buffer.alloc(36);
  note.writeUInt16BE(0xffe1, 0);
  note.writeUInt16BE(note.length - 2, 2);
  note.write('Exif\0\0MM\0*', 4, 'latin1');
  // One entry, 8 bytes after the letters MM: its tag, its type, its number of values, and the value.
  note.writeUInt32BE(8, 14);
  note.writeUInt16BE(1, 18);
  note.writeUInt16BE(0x0112, 20);
  note.writeUInt16BE(3, 22);
  note.writeUInt32BE(1, 24);
  note.writeUInt16BE(orientation, 28);
  return Buffer.concat([photo.subarray(0, 2), note, photo.subarray(2)]);
}

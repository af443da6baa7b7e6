/** The package has no types of its own. */
declare module 'snappyjs' {
  const snappy: {
    compress(data: Uint8Array): Uint8Array;
    uncompress(data: Uint8Array): Uint8Array;
  };
  export default snappy;
}

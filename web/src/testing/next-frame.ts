/** Ends when the browser draws its next frame. What a scroll changes is in the document at the end of the frame after it. */
export const nextFrame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));

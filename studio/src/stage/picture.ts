/** A still of the body in one frame, as an address for an image. */
export async function pictureOf(_frame: ArrayBuffer, _width: number, _height: number): Promise<string> {
  return '';
}

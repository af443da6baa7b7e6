import { styled } from '@mui/material/styles';
import { encode } from 'uqr';

/** Dark on light in both themes: cameras expect it so. */
const Svg = styled('svg')({ width: 168, height: 168, borderRadius: 6, backgroundColor: '#ffffff', color: '#000000' });

/** Quiet modules around the code; the standard requires four. */
const QUIET = 4;

/** Dark modules as one path: a rectangle for each run in a row. */
export const qrPath = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .flatMap((row, y) =>
      row.flatMap((dark, x) => {
        if (!dark || row[x - 1] === true) return [];
        const end = row.indexOf(false, x);
        return [`M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`];
      }),
    )
    .join('');

/** The code that a phone's authenticator reads. Default export: loaded when the factor is switched on. */
export default function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  return (
    <Svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key" shapeRendering="crispEdges">
      <path d={qrPath(data)} fill="currentColor" />
    </Svg>
  );
}

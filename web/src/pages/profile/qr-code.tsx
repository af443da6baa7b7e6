import { styled } from '@mui/material/styles';
import { encode } from 'uqr';
import { qrPath } from './qr-path.ts';

/** Dark on light in both themes: cameras expect it so. */
const Svg = styled('svg')({ width: 168, height: 168, borderRadius: 6, backgroundColor: '#ffffff', color: '#000000' });

/** Quiet modules around the code; the standard asks for four. */
const QUIET = 4;

/** What a phone's authenticator reads from the screen. Default export: loaded when someone switches the factor on. */
export default function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  return (
    <Svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key" shapeRendering="crispEdges">
      <path d={qrPath(data)} fill="currentColor" />
    </Svg>
  );
}

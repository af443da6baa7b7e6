import { styled } from '@mui/material/styles';
import { countryOf } from '../format/region.ts';

/**
 * URLs of the pictures of the countries that regions name, by country code: each is a file with its own hash, so the list
 * of all 250 is as large as a chart. vite.config.ts resolves `@flags` to the package country-flag-icons.
 */
const PICTURES = import.meta.glob<string>(
  '@flags/{AE,AU,BE,BH,BR,CA,CH,CL,CN,DE,ES,FI,FR,GB,HK,ID,IE,IL,IN,IT,JP,KR,MX,MY,NL,NO,PL,QA,SA,SE,SG,TH,TW,US,ZA}.svg',
  { query: '?url', import: 'default', eager: true },
);
const FLAGS = new Map(Object.entries(PICTURES).map(([path, url]) => [/([A-Z]{2})\.svg$/.exec(path)?.[1], url]));

const Image = styled('img')(({ theme }) => ({
  display: 'block',
  flex: 'none',
  width: 14,
  height: 10,
  objectFit: 'cover',
  // Half of them begin or end in white.
  boxShadow: `0 0 0 1px ${theme.vars.palette.divider}`,
}));
const Box = styled('span')({ display: 'inline-flex', alignItems: 'center', gap: 6, whiteSpace: 'nowrap', minWidth: 0 });

/** A region by its name, with the flag of its country where that is known. */
export function Region({ region }: { region: string | null }) {
  if (region === null) return null;
  const country = countryOf(region);
  const source = country === null ? undefined : FLAGS.get(country);
  return (
    <Box>
      {source !== undefined && <Image src={source} alt="" loading="lazy" />}
      {region}
    </Box>
  );
}

import { styled } from '@mui/material/styles';
import { GitHubMark } from '../../components/provider-mark.tsx';
import { PublicPage } from '../../components/public-page.tsx';
import { useStored } from '../../state/use-stored.ts';
import { sessionToken } from '../../state/session-token.ts';
import { paths } from '../../paths.ts';
import { Comparison } from './comparison.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { CallToAction, Section } from './landing-parts.tsx';
import { Pricing } from './pricing.tsx';
import { Questions } from './questions.tsx';
import { Steps } from './steps.tsx';

/** Address of the source code. */
const SOURCE_URL = 'https://github.com/plimsoll/plimsoll';

/** The mark alone says it where there is no room. */
const Word = styled('span')(({ theme }) => ({
  [theme.breakpoints.down('sm')]: {
    position: 'absolute',
    clipPath: 'inset(50%)',
    width: 1,
    height: 1,
    overflow: 'hidden',
  },
}));
const Last = styled(Section)({ '& > a': { marginTop: 24 } });

function Nav({ signedIn }: { signedIn: boolean }) {
  return (
    <>
      <a href="#features">Features</a>
      <a href="#pricing">Pricing</a>
      <a href={SOURCE_URL} rel="noreferrer">
        <GitHubMark />
        <Word>Source</Word>
      </a>
      <CallToAction to={signedIn ? paths.dashboard : paths.login}>
        {signedIn ? 'Go to Dashboard' : 'Get Started'}
      </CallToAction>
    </>
  );
}

/** The page for people without an account: no chunk of the app behind sign-in, one public call for the plans. */
export function Component() {
  const [token] = useStored(sessionToken);
  const signedIn = token !== null;
  return (
    <PublicPage tab="Plimsoll: see how close every server is to its line" nav={<Nav signedIn={signedIn} />}>
      <Hero />
      <Comparison />
      <Features />
      <Steps />
      <Pricing />
      <Questions />
      <Last aria-labelledby="last">
        <h2 id="last">See it before it runs out.</h2>
        <p>In two minutes you see which server is nearest to its load line.</p>
        <CallToAction data-size="large" to={signedIn ? paths.dashboard : paths.login}>
          {signedIn ? 'Go to Dashboard' : 'Get Started'}
        </CallToAction>
      </Last>
    </PublicPage>
  );
}

import type { Plan } from '@plimsoll/contract/wire/accounts/plans';
import { plansQuery } from '../../api/plans.ts';
import { useQuery } from '../../api/query.ts';
import { Cells, Section } from './landing-parts.tsx';
import { NoPlans, PlansSkeleton } from './plans-states.tsx';
import { Facts, Price } from './plan-parts.tsx';
import { planFacts, pricingSentence } from './plan-words.ts';

function PlanCard({ plan }: { plan: Plan }) {
  return (
    <li>
      <h3>{plan.name}</h3>
      <Price>
        ${plan.usd_per_month}
        <small>/month</small>
      </Price>
      <Facts>
        {planFacts(plan).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </Facts>
    </li>
  );
}

/** The plans this installation's API lists. While they are not known, their place stays as large as they will be. */
export function Pricing() {
  const { data, error, refetch } = useQuery(plansQuery());
  return (
    <Section id="pricing" aria-labelledby="pricing-title">
      <h2 id="pricing-title">Pricing</h2>
      <p>{pricingSentence(data?.enforced)}</p>
      {data !== undefined && (
        <Cells>
          {data.plans.map((plan) => (
            <PlanCard key={plan.name} plan={plan} />
          ))}
        </Cells>
      )}
      {data === undefined && error !== null && <NoPlans why={error.message} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <PlansSkeleton />}
    </Section>
  );
}

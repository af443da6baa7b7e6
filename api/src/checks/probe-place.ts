import { checkAddressRule } from '@plimsoll/contract/probes/address-rules';
import type { Place } from '@plimsoll/contract/probes/run-probe';
import { redactText } from '@plimsoll/contract/redaction/text';

/** The API as a place: it reaches public addresses, and the networks that the operator opened to checks. */
export const apiPlace = (networks: readonly string[]): Place => ({
  mayConnect: checkAddressRule(networks),
  milliseconds: () => performance.now(),
  redact: redactText,
});

import { expect, test } from 'vitest';
import { parseSample } from './exposition.ts';

test('reads a line with its labels and escapes', () => {
  expect(parseSample('kube_pod_info{pod="a",note="say \\"hi\\" {x} \\\\ \\n",empty=""} 1.5e3 1795000000')).toEqual({
    name: 'kube_pod_info',
    labels: { pod: 'a', note: 'say "hi" {x} \\ \n', empty: '' },
    value: 1500,
  });
  expect(parseSample('up 1')).toEqual({ name: 'up', labels: {}, value: 1 });
});

test.each(['# HELP up Whether', '', 'up NaN', 'up', '{a="b"} 1'])('"%s" is none', (line) => {
  expect(parseSample(line)).toBeNull();
});

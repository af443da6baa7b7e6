import { readFileSync } from 'node:fs';
import { SettingError } from '../settings.ts';

/** First line of a file, or of standard input. Throws SettingError when it cannot be read. */
export function readLine(file: string | null): string {
  try {
    return (
      readFileSync(file ?? 0, 'utf8')
        .split('\n', 1)[0]
        ?.trim() ?? ''
    );
  } catch (error) {
    throw new SettingError(
      `${file ?? 'standard input'} cannot be read (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

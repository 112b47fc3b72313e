import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take minutes although they are short. Without times of an earlier run, Vitest starts with the largest files:
 * these would begin when nothing else is left, and a whole run would wait for the last of them alone.
 */
const LONG = [
  'integration/api/schemathesis.test.ts',
  'integration/api/clients/java.test.ts',
  'integration/api/clients/python.test.ts',
  'integration/api/clients/go.test.ts',
  'integration/dispatch/model/model.test.ts',
  'e2e/faults.test.ts',
  'e2e/http-faults.test.ts',
  'e2e/environments.test.ts',
  'e2e/state-frames.test.ts',
];
const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((name) => moduleId.endsWith(`/test/${name}`));

/** As Vitest sorts, but with the long files first among those of the same project. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((each) => each.project === project);
      return [...own.filter(isLong), ...own.filter((each) => !isLong(each))];
    });
  }
}

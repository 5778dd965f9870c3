import { projectsOf } from '../../demand/projects.ts';
import { vocabularyOf } from '../../demand/vocabulary.ts';
import { loadQuestions, type OpenPoint, openPoint } from '../questions/load.ts';
import { type PointTexts, pointTexts } from './point-texts.ts';

export interface PointsOptions {
  /** File of `evals/questions`. */
  readonly questions: string;
  /** Folder of the sessions that it names. */
  readonly sessions: string;
  readonly onProgress?: ((point: string, share: number) => void) | undefined;
}

export interface ReadPoint extends PointTexts {
  readonly open: OpenPoint;
  /** Sessions of one project have one number. */
  readonly project: number;
}

/** Opens all points, one after the other, and makes their texts. */
export async function readPoints({
  questions,
  sessions,
  onProgress,
}: PointsOptions): Promise<readonly ReadPoint[]> {
  const points = await loadQuestions(questions);
  const read: (Omit<ReadPoint, 'project'> & { readonly paths: ReadonlySet<number> })[] = [];
  for (const point of points) {
    const open = await openPoint(point, sessions);
    const paths = new Set(vocabularyOf(open.history).paths);
    read.push({ open, paths, ...(await pointTexts(open)) });
    onProgress?.(point.id, read.length / points.length);
  }
  const projects = projectsOf(read.map(({ paths }) => paths));
  return read.map(({ paths: _, ...point }, at) => ({ ...point, project: projects[at] as number }));
}

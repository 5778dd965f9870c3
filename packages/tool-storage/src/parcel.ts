import { storedHandleOf } from '@varve/messages/stored';
import type { Material } from './content.ts';
import type { Settings } from './options.ts';
import { countLines } from './preview/spans.ts';

/** A result as it is stored, and the name it gets by its bytes. */
export interface Parcel {
  readonly handle: string;
  readonly data: Uint8Array;
  readonly lines: number;
  /** Name and digits, `sha256:…`. */
  readonly hash: string;
}

export async function packUp(material: Material, id: string, settings: Settings): Promise<Parcel> {
  const data = material.encode();
  const [name, digits] = (await digest(data, settings)) ?? [
    'fingerprint',
    material.mark.fingerprint(),
  ];
  return {
    handle: storedHandleOf(id, digits, material.extension),
    data,
    lines: countLines(material.text),
    hash: `${name}:${digits}`,
  };
}

/** `undefined` where there is no hash, or where it fails: a result is not lost for that. */
async function digest(data: Uint8Array, { hash }: Settings) {
  try {
    const digits = await hash?.of(data);
    const isUsable = digits !== undefined && /^[0-9a-f]{16,}$/.test(digits);
    return isUsable ? ([hash?.name ?? '', digits] as const) : undefined;
  } catch {
    return undefined;
  }
}

export type { Layer, LayerEvent } from './layer.ts';
export {
  createLayeredLog,
  type EditContext,
  type Edited,
  type LayeredLog,
  type LayeredLogOptions,
} from './layered-log.ts';

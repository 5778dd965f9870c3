import { importPeer, type PeerPackage } from './peer-module.ts';

/** What of LangChain's messages is read. */
export interface LangChainMessage {
  readonly content: unknown;
}

interface ToolMessageFields {
  readonly content: unknown;
  readonly tool_call_id: string;
  readonly name?: string;
}

export interface ModelCall {
  readonly messages: LangChainMessage[];
  readonly model: object;
  readonly systemPrompt: string;
}

/** What of the package `langchain` is called. */
export interface LangChain {
  readonly AIMessage: new (fields: {
    readonly content: unknown;
    readonly tool_calls: readonly object[];
  }) => LangChainMessage;
  readonly HumanMessage: new (fields: { readonly content: unknown }) => LangChainMessage;
  readonly SystemMessage: new (fields: { readonly content: unknown }) => LangChainMessage;
  readonly ToolMessage: new (fields: ToolMessageFields) => LangChainMessage;
  readonly ClearToolUsesEdit: new (config: object) => object;
  readonly contextEditingMiddleware: (config: { readonly edits: readonly object[] }) => {
    readonly wrapModelCall: (
      request: ModelCall,
      handler: (request: ModelCall) => Promise<LangChainMessage>,
    ) => Promise<unknown>;
  };
}

const PACKAGE: PeerPackage = {
  name: 'langchain',
  install: 'langchain @langchain/core',
  functions: [
    'AIMessage',
    'HumanMessage',
    'SystemMessage',
    'ToolMessage',
    'ClearToolUsesEdit',
    'contextEditingMiddleware',
  ],
};

export const importLangChain = (): Promise<LangChain> => importPeer<LangChain>(PACKAGE);

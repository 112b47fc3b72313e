export declare function typesOf(document: unknown): Promise<string>;

# Local stand-in for the official images of Redis and Valkey (NAME), see .ci/engine.
FROM fleetgate-stand-in-base
ARG NAME
ENV NAME=${NAME}
COPY entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN chmod 755 /usr/local/bin/docker-entrypoint.sh && install -d -o "$NAME" -g "$NAME" /data
VOLUME /data
WORKDIR /data
EXPOSE 6379
ENTRYPOINT ["docker-entrypoint.sh"]
CMD []

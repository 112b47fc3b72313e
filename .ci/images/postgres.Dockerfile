# Local stand-in for the official image of PostgreSQL, see .ci/engine. psql and pg_isready are those of Debian.
FROM fleetgate-stand-in-base
COPY files/native /usr/local/pgsql
COPY entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN chmod 755 /usr/local/pgsql/bin/* /usr/local/bin/docker-entrypoint.sh \
 && rm -rf /var/lib/postgresql && install -d -o postgres -g postgres /var/lib/postgresql /var/run/postgresql
ENV PATH=/usr/local/pgsql/bin:/usr/local/bin:/usr/lib/postgresql/17/bin:/usr/bin:/usr/sbin PGDATA=/var/lib/postgresql/data
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
EXPOSE 5432
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
